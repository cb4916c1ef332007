import { element } from "../../language/values/element.js";
import type { JsonReader } from "../json-reader.js";
import { type ReadPart, readerOf } from "./part.js";

/** A token that marks where a text begins or ends. */
interface Marker {
  readonly id: number;
  /** The number of the text of a pair that it belongs to. */
  readonly type: number;
}

/** What stands before and behind the tokens of a text. */
export interface Markers {
  readonly begin: readonly Marker[];
  readonly end: readonly Marker[];
  /** The number of the text itself. */
  readonly type: number;
}

export const noMarkers: Markers = { begin: [], end: [], type: 0 };

/** @throws where there is no post-processor of its kind. */
export const markersOf: ReadPart<Markers> = readerOf("post-processor", {
  BertProcessing: pair,
  ByteLevel: () => noMarkers,
  RobertaProcessing: pair,
  Sequence: (part) => part.at("processors").list.map(markersOf).reduce(around, noMarkers),
  TemplateProcessing: template,
});

/** One token before a text, and one behind it, each written with its text. */
function pair(part: JsonReader): Markers {
  const marker = (name: string): Marker[] => {
    const [, id] = part.at(name).list;
    return [{ id: (id ?? part.at(name)).count(Number.MAX_SAFE_INTEGER), type: 0 }];
  };
  return { begin: marker("cls"), end: marker("sep"), type: 0 };
}

/** A list in which the text stands once. */
function template(part: JsonReader): Markers {
  const items = part.at("single").list;
  const texts = items.flatMap((each, at) => (each.at("Sequence").isAbsent ? [] : [at]));
  const [at] = texts;
  if (at === undefined || texts.length > 1) return part.at("single").fail("list with one text");
  const markers = items.map((each) => (each.at("Sequence").isAbsent ? marks(part, each) : []));
  const type = element(items, at).at("Sequence").at("type_id").numberOr(0);
  return { begin: markers.slice(0, at).flat(), end: markers.slice(at + 1).flat(), type };
}

/** A name in a template may stand for several tokens. */
function marks(part: JsonReader, item: JsonReader): Marker[] {
  const special = item.at("SpecialToken");
  const ids = part.at("special_tokens").at(special.at("id").text).at("ids").list;
  const type = special.at("type_id").numberOr(0);
  return ids.map((each) => ({ id: each.count(Number.MAX_SAFE_INTEGER), type }));
}

/** Markers around what has some already. */
const around = (inner: Markers, outer: Markers): Markers => ({
  begin: [...outer.begin, ...inner.begin],
  end: [...inner.end, ...outer.end],
  type: outer.type,
});
