// Terms that occur together, as a graph; the layout is part of the facts.

function graphFigure(graph, cluster, nameOf) {
  const width = 380, height = 300, pad = 46, nodes = graph.nodes;
  const at = ([, , x, y]) => [pad + x * (width - 2 * pad), 22 + y * (height - 44)];
  const most = Math.max(...nodes.map((node) => Math.abs(node[1])), 1e-300), strongest = Math.max(...graph.edges.map((e) => e[2]), 1e-300);
  const lines = graph.edges.map(([a, b, weight]) => {
    const [x1, y1] = at(nodes[a]), [x2, y2] = at(nodes[b]);
    return svg('line', { x1: x1.toFixed(1), y1: y1.toFixed(1), x2: x2.toFixed(1), y2: y2.toFixed(1),
      'stroke-width': (0.5 + 2.5 * weight / strongest).toFixed(2), 'stroke-opacity': (0.15 + 0.5 * weight / strongest).toFixed(2) });
  });
  const dots = nodes.map((node) => {
    const [x, y] = at(node), name = nameOf(node[0]);
    return svg('g', null, svg('circle', { cx: x.toFixed(1), cy: y.toFixed(1), r: (2.5 + 4 * Math.sqrt(Math.abs(node[1]) / most)).toFixed(1) }),
      svg('text', { x: x.toFixed(1), y: (y - 9).toFixed(1), 'text-anchor': 'middle' }, svg('title', null, name), clip(name, 18)));
  });
  return svg('svg', { class: 'graph', viewBox: `0 0 ${width} ${height}`, role: 'img', style: { '--series': colourName(cluster) },
    'aria-label': `${capital(words.cols)} of bloc ${cluster} that go together: ${nodes.slice(0, 8).map((n) => nameOf(n[0])).join(', ')}` },
    svg('g', { class: 'edges' }, ...lines), ...dots);
}
