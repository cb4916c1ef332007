rank-profile second-with-gbdt inherits learned-linear {
  match-features {
    max_chunk_sim_scores
    modified_freshness
  }
  rank-properties {
    query(intercept): -1
    query(title_weight): 2
  }
  second-phase {
    expression: lightgbm("gbdt.json")
  }
  global-phase {
    rerank-count: 100
    expression: reciprocal_rank(max_chunk_sim_scores, 60.0) + reciprocal_rank_fusion(secondPhase, modified_freshness)
  }
  summary-features: top_3_chunk_sim_scores
}
