/** Of models, what the page needs: a part of its own, loaded with the first model, without tokenizers, forests and tables to train on. */
export { readOnnx } from "../../models.js";
