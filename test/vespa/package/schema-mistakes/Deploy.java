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
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether Vespa's config server takes schemas. Each line of the input is a change of a file of public-packages, as mistakes.ts makes
 * them; each line of the output is this and why the changed file is refused, if it is.
 *
 *     mvn dependency:copy-dependencies -DoutputDirectory=FOLDER
 *     java -cp 'FOLDER/*' Deploy.java ../public-packages < mistakes.jsonl > recorded.jsonl
 */
public class Deploy {
    public static void main(String[] arguments) throws Exception {
        java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.OFF);
        ObjectMapper json = new ObjectMapper();
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line; (line = lines.readLine()) != null; ) {
            JsonNode change = json.readTree(line);
            String text = Files.readString(Path.of(arguments[0], change.get("file").asText()));
            int at = change.get("at").asInt();
            String changed = text.substring(0, at) + change.get("inserted").asText()
                + text.substring(at + change.get("removed").asInt());
            try {
                RankProfileRegistry profiles = new RankProfileRegistry();
                ApplicationBuilder builder = new ApplicationBuilder(profiles);
                builder.addSchema(changed);
                builder.build(true);
                new DerivedConfiguration(builder.getSchema(), profiles);
            } catch (Throwable error) {
                Throwable cause = error;
                while (cause.getCause() != null) cause = cause.getCause();
                String reason = String.valueOf(cause.getMessage()).replaceAll("\\s+", " ");
                ((ObjectNode) change).put("refused", reason.substring(0, Math.min(reason.length(), 120)));
            }
            out.println(json.writeValueAsString(change));
        }
    }
}
