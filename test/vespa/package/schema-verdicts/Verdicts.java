import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.yahoo.schema.ApplicationBuilder;
import com.yahoo.schema.RankProfileRegistry;
import com.yahoo.schema.derived.DerivedConfiguration;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Whether Vespa's config server takes small schemas. Each line of the input is the name and text of one, as record.ts writes them; each
 * line of the output is the name, and why the schema is refused, if it is. The libraries are those of ../schema-mistakes/pom.xml:
 *
 *     mvn -f ../schema-mistakes dependency:copy-dependencies -DoutputDirectory=FOLDER
 *     java -cp 'FOLDER/*' Verdicts.java < schemas.jsonl > recorded.jsonl
 */
public class Verdicts {
    public static void main(String[] arguments) throws Exception {
        java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.OFF);
        ObjectMapper json = new ObjectMapper();
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line; (line = lines.readLine()) != null; ) {
            JsonNode schema = json.readTree(line);
            ObjectNode verdict = json.createObjectNode().put("name", schema.get("name").asText());
            try {
                RankProfileRegistry profiles = new RankProfileRegistry();
                ApplicationBuilder builder = new ApplicationBuilder(profiles);
                builder.addSchema(schema.get("text").asText());
                builder.build(true);
                new DerivedConfiguration(builder.getSchema(), profiles);
            } catch (Throwable error) {
                Throwable cause = error;
                while (cause.getCause() != null) cause = cause.getCause();
                String reason = String.valueOf(cause.getMessage()).replaceAll("\\s+", " ");
                verdict.put("refused", reason.substring(0, Math.min(reason.length(), 60)));
            }
            out.println(json.writeValueAsString(verdict));
        }
    }
}
