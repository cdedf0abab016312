import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createLogger } from '#server/http/logger.ts'
import { openJobQueue } from '#server/jobs/jobs.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'

type Rule = { alert: string; expr: string; annotations: { summary: string; description: string } }
type Panel = { title: string; targets?: { expr: string }[] }

const read = (name: string) => readFileSync(new URL(`../../../deploy/monitoring/${name}`, import.meta.url), 'utf8')
const rules = (parse(read('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules: each }) => each)
const { panels } = JSON.parse(read('dashboard.json')) as { panels: Panel[] }
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets = [] }) => targets.map((t) => t.expr)),
]

/** Words of the query language, and the metric that Prometheus itself adds. */
const language = new Set([
  'sum',
  'rate',
  'increase',
  'max',
  'min',
  'count',
  'topk',
  'vector',
  'absent',
  'and',
  'or',
  'up',
])
language.add('histogram_quantile')

/** Names of metrics in an expression: what remains without strings, labels, durations and numbers. */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, ' ')
    .replaceAll(/\b\d[\w.]*/g, ' ')
  return [...bare.matchAll(/[a-zA-Z_:][\w:]*/g)].map(([name]) => name).filter((name) => !language.has(name))
}

test('every metric of the alert rules and the dashboard is one that /metrics has', async () => {
  const token = 'a-token-for-monitoring'
  const server = await createTestApp({ env: { MONITORING_TOKEN: token } })
  const queue = await openJobQueue(server.database, createLogger('silent'))
  await queue.stop(1_000)
  const answer = await server.request('/metrics', { headers: { Authorization: `Bearer ${token}` } })
  const types = [...(await answer.text()).matchAll(/^# TYPE (\w+) (\w+)$/gm)]
  await server.close()
  const known = new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
    ),
  )
  const named = expressions.flatMap(metricsIn)
  expect(new Set(named).size).toBeGreaterThan(15)
  expect(named.filter((name) => !known.has(name))).toEqual([])
  // The other way around: a figure that no one sees warns no one.
  const own = [...known].filter((name) => name.startsWith('front_counter_') && !/_(count|sum)$/.test(name))
  expect(own.filter((name) => !named.includes(name))).toEqual([])
})

test('every alert says what happened and what to do', () => {
  expect(rules.length).toBeGreaterThan(10)
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { alert, annotations } of rules) {
    expect(annotations.summary, alert).not.toMatch(/\.$/)
    expect(annotations.description, alert).toMatch(/\.$/)
  }
})

test('the handbook says of every alert what to do', () => {
  const page = readFileSync(new URL('../../../docs/handbook/read-an-alert.md', import.meta.url), 'utf8')
  const named = [...page.matchAll(/\bFrontCounter\w+/g)].map(([name]) => name)
  expect(named.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted())
})
