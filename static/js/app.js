// Behaviour of the page, keyed by data- attributes. Every page works without it.
import "./adapter.js";
import "./charts.js";
import "./copy.js";
import "./dialogs.js";
import "./graph.js";
import "./keys.js";
import "./logs.js";
import "./preferences.js";
import "./rows.js";
import "./rubric.js";
import "./toasts.js";
import "./views.js";
