import { expect, test } from 'vitest'
import { charts, compareCharts } from './charts.mjs'

test.each(compareCharts())(
  'the chart $name of docs/benchmarks.md shows the figures of bench/tables.md',
  ({ written, drawn }) => {
    // To draw them: node bench/src/report/charts.mjs
    expect(written).toBe(drawn)
  },
)

test('there are five, and Selfsame is in each', () => {
  expect(charts.length).toBe(5)
  for (const { drawn } of compareCharts()) expect(drawn).toContain('>Selfsame</text>')
})
