rank-profile learned-linear inherits base-features {
  match-features:
  inputs {
    query(embedding) tensor<int8>(x[2])
    query(float_embedding) tensor<float>(x[16])
    query(intercept) double
    query(title_weight) double
    query(chunk_weight) double
  }
  first-phase {
    expression {
      query(intercept) +
      query(title_weight) * bm25(title) +
      query(chunk_weight) * max_chunk_sim_scores()
    }
  }
  summary-features {
    top_3_chunk_sim_scores
  }
}
