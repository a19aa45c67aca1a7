"use strict";
(() => {
  const root = document.documentElement;
  const setting = JSON.parse(document.getElementById("page").textContent);
  const plots = [...document.querySelectorAll(".plot")];
  const PRINTED = 680; // px across a sheet of paper
  let range = null; // of time, on all linked plots; null shows all of it

  const style = (name) => getComputedStyle(root).getPropertyValue(name).trim();

  function colours(data, theme) {
    const palette = setting.palette[theme];
    for (const trace of data) {
      const colour = palette[trace.meta];
      if (trace.line) trace.line.color = colour;
      if (trace.marker) trace.marker.color = colour;
      if (trace.fill) trace.fillcolor = colour + "1f"; // an eighth of it
      if (trace.textfont) trace.textfont.color = style("--soft");
      if (trace.type === "bar") trace.marker.line = { color: setting.ground[theme], width: 2 };
      else if (trace.marker) trace.marker.line = { color: colour, width: 1.5 };
    }
  }

  function background(figure) {
    // phases as alternating shades and rare events as dotted lines behind every plot over time
    if (!figure.linked) return [];
    const shades = setting.phases.filter((_, i) => i % 2).map(([start, end]) => ({
      type: "rect", xref: "x", yref: "paper", x0: start, x1: end, y0: 0, y1: 1,
      fillcolor: style("--panel"), line: { width: 0 }, layer: "below",
    }));
    const marks = setting.instants.map((t) => ({
      type: "line", xref: "x", yref: "paper", x0: t, x1: t, y0: 0, y1: 1,
      line: { width: 1, dash: "dot", color: style("--line") }, layer: "below",
    }));
    return shades.concat(marks);
  }

  function layout(figure, theme) {
    const ink = style("--soft"), line = style("--line");
    const axis = { gridcolor: line, linecolor: line, zerolinecolor: line, tickcolor: line, showline: true };
    const given = figure.layout;
    const shapes = given.shapes.map((shape) => ({ ...shape, line: { width: 1.5, dash: "dot", color: style("--ink") } }));
    const x = { ...axis, ...given.xaxis };
    if (figure.linked) {
      x.range = range || setting.span;
      x.autorange = false;
    }
    return {
      ...given, xaxis: x, yaxis: { ...axis, ...given.yaxis },
      shapes: background(figure).concat(shapes),
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: ink, size: 12, family: getComputedStyle(document.body).fontFamily },
      hoverlabel: { bgcolor: setting.ground[theme], font: { color: style("--ink") } },
      margin: { l: 60, r: 12, t: 8, b: 44 },
      showlegend: false, hovermode: given.yaxis.tickvals || given.yaxis.scaleanchor || figure.columns ? "closest" : "x unified", dragmode: "zoom",
    };
  }

  const bar = matchMedia("(hover: hover)").matches ? "hover" : false;  // else it would always cover the plot
  const config = { responsive: true, displayModeBar: bar, displaylogo: false, modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"] };

  function draw(plot) {
    if (plot.figure) return;
    plot.figure = JSON.parse(document.getElementById(plot.dataset.figure).textContent);
    if (plot.figure.columns) choose(plot);
    const theme = root.dataset.theme;
    colours(plot.figure.data, theme);
    Plotly.newPlot(plot, plot.figure.data, layout(plot.figure, theme), config);
    plot.shown = { theme, range };
    plot.dataset.drawn = "yes";
    if (plot.figure.linked) plot.on("plotly_relayout", follow);
  }

  // A plot of columns shows those that its two lists name.
  function choose(plot) {
    const { data, layout, columns } = plot.figure;
    const chosen = (axis) => columns[axis][plot.closest("figure").querySelector(`[data-axis=${axis}]`).value];
    const x = chosen("x"), y = chosen("y");
    data.forEach((trace, i) => { trace.x = x.parts[i]; trace.y = y.parts[i]; });
    layout.xaxis.title = { text: x.title };
    layout.yaxis.title = { text: y.title, standoff: 10 };
    layout.shapes = [{ type: "line", xref: "paper", x0: 0, x1: 1, y0: y.limit, y1: y.limit }];
  }

  function redraw(plot) {
    if (!plot.figure) return draw(plot);
    choose(plot);
    plot.shown = {};
    update(plot);
  }

  function follow(change) {
    const start = change["xaxis.range[0]"];
    if (start !== undefined) range = [start, change["xaxis.range[1]"]];
    else if (change["xaxis.autorange"]) range = null;
    else return;
    refresh();
  }

  function update(plot) {
    const theme = root.dataset.theme, now = plot.figure.linked ? range : null;
    if (plot.shown.theme === theme && plot.shown.range === now) return;
    plot.shown = { theme, range: now };
    colours(plot.figure.data, theme);
    const visible = plot.data.map((trace) => trace.visible);
    plot.figure.data.forEach((trace, i) => { trace.visible = visible[i]; });
    Plotly.react(plot, plot.figure.data, layout(plot.figure, theme), config);
  }

  const near = new Set();
  function refresh() { for (const plot of near) if (plot.figure) update(plot); }

  // What can be seen is drawn first, and one plot at a time, so that the page answers meanwhile.
  let drawing = false;
  function work() {
    const middle = window.innerHeight / 2;
    const away = (plot) => Math.abs(plot.getBoundingClientRect().top - middle);
    const next = [...near].filter((plot) => !plot.figure).sort((a, b) => away(a) - away(b))[0];
    drawing = Boolean(next);
    root.dataset.drawn = next ? "no" : "yes";
    if (!next) return;
    draw(next);
    setTimeout(work);
  }

  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) near.delete(target);
      else { near.add(target); if (target.figure) update(target); }
    }
    if (!drawing) work();
  }, { rootMargin: "400px" });
  plots.forEach((plot) => watch.observe(plot));

  document.addEventListener("click", (event) => {
    const button = event.target.closest(".legend button");
    if (!button) return;
    const plot = button.closest("figure").querySelector(".plot");
    const shown = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(shown));
    draw(plot);
    Plotly.restyle(plot, { visible: shown }, [Number(button.dataset.curve)]);
  });

  document.addEventListener("change", (event) => {
    if (event.target.dataset.axis) redraw(event.target.closest("figure").querySelector(".plot"));
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.link");
    if (!button) return;
    const figure = document.getElementById(`${button.dataset.choice}-figure`);
    for (const axis of ["x", "y"]) figure.querySelector(`[data-axis=${axis}]`).value = button.dataset[axis];
    redraw(figure.querySelector(".plot"));
    figure.scrollIntoView({ block: "nearest" });
  });

  function setTheme(theme) {
    root.dataset.theme = theme;
    document.getElementById("theme").textContent = theme === "dark" ? "Light" : "Dark";
    refresh();
  }
  document.getElementById("theme").addEventListener("click", () => {
    const theme = root.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("proxops-theme", theme); } catch (error) { /* private window */ }
    setTheme(theme);
  });
  setTheme(root.dataset.theme);

  let before = null;
  window.addEventListener("beforeprint", () => {
    before = root.dataset.theme;
    setTheme("light");
    document.querySelectorAll("details.more").forEach((each) => { each.open = true; });
    for (const plot of plots) {
      draw(plot);
      update(plot);
      Plotly.relayout(plot, { width: PRINTED, autosize: false });
    }
  });
  window.addEventListener("afterprint", () => {
    for (const plot of plots) Plotly.relayout(plot, { width: null, autosize: true });
    setTheme(before);
  });
})();
