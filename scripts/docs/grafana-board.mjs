/** A dashboard as Grafana wants it. */

/**
 * @typedef {{ title: string, unit?: string, isStat?: boolean, ask: readonly (readonly [string, string])[] }} Panel
 * @typedef {{ name: string, title: string, labels?: readonly (readonly [string, string])[], panels: readonly Panel[] }} Dashboard
 */

/** @param {Dashboard} dashboard */
export function boardOf({ name, title, labels = [], panels }) {
  return {
    title,
    uid: `record-linker-${name}`,
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    tags: ['record-linker'],
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' },
        ...labels.map(([label, metric]) => ({
          name: label,
          type: 'query',
          label,
          datasource: { type: 'prometheus', uid: '${datasource}' },
          query: `label_values(${metric}, ${label})`,
          refresh: 2,
          includeAll: true,
          allValue: '.*',
          multi: true,
          current: { text: 'All', value: '$__all' },
        })),
      ],
    },
    panels: panels.map(panelOf),
  }
}

const WIDTH = 8
const HEIGHT = 7
const IN_A_ROW = 3

/**
 * @param {Panel} panel
 * @param {number} index
 */
function panelOf({ title, unit = 'short', isStat = false, ask }, index) {
  return {
    id: index + 1,
    title,
    type: isStat ? 'stat' : 'timeseries',
    gridPos: {
      h: HEIGHT,
      w: WIDTH,
      x: (index % IN_A_ROW) * WIDTH,
      y: Math.floor(index / IN_A_ROW) * HEIGHT,
    },
    datasource: { type: 'prometheus', uid: '${datasource}' },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: ask.map(([expr, legendFormat], at) => ({
      refId: String.fromCodePoint(65 + at),
      expr,
      legendFormat,
    })),
  }
}
