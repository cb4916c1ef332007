rank-profile thrice inherits cited_more {
  inputs {
    query(times) double: 3
  }
  second-phase {
    expression: firstPhase + query(times) * fame
  }
}
