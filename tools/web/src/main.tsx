// main.tsx: starts the page.
import { render } from "preact";
import { start } from "./engines";
import { Shell } from "./shell/shell";
import { applyTheme } from "./shell/theme";
import "uplot/dist/uPlot.min.css";
import "./style.css";

applyTheme();
start(window.location);
render(<Shell />, document.body);
