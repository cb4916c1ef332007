import { smallSchemas } from "./schemas.js";

/**
 * The schemas that are asked about, a line each as JSON, for Verdicts.java:
 *
 *     npx esbuild test/vespa/package/schema-verdicts/record.ts --bundle --platform=node --format=esm | node --input-type=module -
 */
for (const schema of smallSchemas) console.log(JSON.stringify(schema));
