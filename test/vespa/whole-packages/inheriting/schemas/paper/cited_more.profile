rank-profile cited_more inherits cited {
  second-phase { expression: firstPhase + 2 * fame }
}
