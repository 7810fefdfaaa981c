// The citation graph of a paper.
import { h, note } from "./dom.js";
import { citationGraph } from "./graph.js";
import { run } from "./host.js";

run("citations", (body) => body.match && [h("h1", {}, body.match.title), citationGraph(body), (body.notes ?? []).map((each) => note(each))]);
