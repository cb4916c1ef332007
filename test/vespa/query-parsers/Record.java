import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.yahoo.component.chain.Chain;
import com.yahoo.language.simple.SimpleLinguistics;
import com.yahoo.prelude.Index;
import com.yahoo.prelude.IndexFacts;
import com.yahoo.prelude.IndexModel;
import com.yahoo.prelude.SearchDefinition;
import com.yahoo.prelude.query.*;
import com.yahoo.search.Query;
import com.yahoo.search.Result;
import com.yahoo.search.Searcher;
import com.yahoo.search.searchchain.Execution;
import com.yahoo.search.yql.MinimalQueryInserter;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The terms that Vespa's container makes of queries. Each line of the input is the parameters of a request as JSON; each line of the
 * output is these and the terms that are ranked by, or what is wrong. The fields are those of `schema` below.
 *
 *     mvn dependency:copy-dependencies -DoutputDirectory=FOLDER
 *     java -cp 'FOLDER/*' Record.java < requests.jsonl > recorded.jsonl
 */
public class Record {
    private static final ObjectMapper json = new ObjectMapper();
    private static final SimpleLinguistics linguistics = new SimpleLinguistics();

    public static void main(String[] arguments) throws Exception {
        java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.OFF);
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        IndexFacts facts = new IndexFacts(new IndexModel(Map.of("doc", List.of("doc")), List.of(schema())));
        for (String line; (line = lines.readLine()) != null; ) {
            ObjectNode recorded = json.createObjectNode();
            JsonNode request = json.readTree(line);
            recorded.set("request", request);
            try {
                record(request, facts, recorded.putArray("terms"));
            } catch (Throwable error) {
                recorded.remove("terms");
                recorded.put("error", error.getMessage() == null ? error.toString() : error.getMessage());
            }
            out.println(json.writeValueAsString(recorded));
        }
    }

    private static SearchDefinition schema() {
        SearchDefinition schema = new SearchDefinition("doc");
        for (String name : List.of("default", "title", "body")) {
            Index index = added(schema, name);
            index.setIndex(true);
            index.setString(true);
        }
        Index tag = added(schema, "tag");
        tag.setAttribute(true);
        tag.setString(true);
        tag.addCommand("word");
        Index code = added(schema, "code");
        code.setIndex(true);
        code.setString(true);
        code.addCommand("exact @@");
        Index price = added(schema, "price");
        price.setAttribute(true);
        price.setNumerical(true);
        price.setInteger(true);
        return schema;
    }

    private static Index added(SearchDefinition schema, String name) {
        Index index = new Index(name);
        schema.addIndex(index);
        return index;
    }

    private static void record(JsonNode request, IndexFacts facts, ArrayNode terms) throws Exception {
        StringBuilder address = new StringBuilder("?");
        for (Map.Entry<String, JsonNode> each : request.properties())
            address.append(each.getKey()).append('=')
                .append(URLEncoder.encode(each.getValue().asText(), StandardCharsets.UTF_8)).append('&');
        Query query = new Query(address.toString());
        Execution execution = new Execution(
            new Chain<Searcher>(new MinimalQueryInserter(linguistics)),
            Execution.Context.createContextStub(facts, linguistics));
        query.getModel().setExecution(execution);
        Result result = execution.search(query);
        if (result.hits().getError() != null)
            throw new IllegalArgumentException(result.hits().getError().getDetailedMessage());
        query.getModel().prepare(query.getRanking());
        record(query.getModel().getQueryTree().getRoot(), query.getRanking().getProperties().asMap(), terms);
    }

    /** Of what is not to be found, nothing; of what joins terms, the terms; and of a term all that ranking sees of it. */
    private static void record(Item item, Map<String, List<Object>> properties, ArrayNode terms) {
        if (item instanceof NotItem not) {
            record(not.getPositiveItem(), properties, terms);
        } else if (item instanceof CompositeItem composite && !isTerm(item)) {
            for (Item each : composite.items()) record(each, properties, terms);
        } else if (item != null && !(item instanceof NullItem || item instanceof TrueItem || item instanceof FalseItem)
                && item.isRanked()) {
            ObjectNode term = terms.addObject();
            term.put("kind", item.getClass().getSimpleName().replaceAll("Item$", ""));
            if (item instanceof IndexedItem indexed) term.put("index", indexed.getIndexName());
            term.put("text", item instanceof TermItem single ? single.stringValue() : item.toString());
            if (item instanceof WordItem word && !word.isWords()) term.put("isWhole", true);
            if (item.getWeight() != 100) term.put("weight", item.getWeight());
            if (item.getLabel() != null) term.put("label", item.getLabel());
            if (item instanceof TaggableItem tagged) {
                if (tagged.hasExplicitSignificance()) term.put("significance", tagged.getSignificance());
                List<Object> connection = properties.get("vespa.term." + tagged.getUniqueID() + ".connexity");
                term.put("id", tagged.getUniqueID());
                if (connection != null) term.put("connection", connection.toString());
                tagged.getDocumentFrequency().ifPresent(each -> term.put("documentFrequency", each.toString()));
            }
            if (item instanceof CompositeItem composite) {
                ArrayNode items = term.putArray("items");
                for (Item each : composite.items()) record(each, properties, items);
            }
        }
    }

    private static boolean isTerm(Item item) {
        return item instanceof PhraseItem || item instanceof PhraseSegmentItem || item instanceof EquivItem
            || item instanceof SameElementItem || item instanceof WeightedSetItem;
    }
}
