rank-profile base-features {
  inputs {
    query(embedding) tensor<int8>(x[2])
    query(float_embedding) tensor<float>(x[16])
  }
  rank chunks {
    element-gap: 0
  }
  function chunk_sim_scores() {
    expression: reduce(query(float_embedding) * unpack_bits(attribute(chunk_embeddings)), sum, x)
  }
  function chunk_text_scores() {
    expression: elementwise(bm25(chunks), chunk, float)
  }
  function top_3_chunk_sim_scores() {
    expression: top(3, chunk_sim_scores())
  }
  function top_3_chunk_text_scores() {
    expression: top(3, chunk_text_scores())
  }
  function avg_top_3_chunk_sim_scores() {
    expression: reduce(top_3_chunk_sim_scores(), avg, chunk)
  }
  function max_chunk_sim_scores() {
    expression: reduce(chunk_sim_scores(), max, chunk)
  }
  function max_chunk_text_scores() {
    expression: reduce(chunk_text_scores(), max, chunk)
  }
  function modified_freshness() {
    expression: freshness(modified)
  }
  function is_favourite() {
    expression: if(attribute(favourite), 1, 0)
  }
  function open_count() {
    expression: attribute(opened)
  }
}
