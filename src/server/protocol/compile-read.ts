import type { Bearer, SessionCheck } from '#server/http/principal.ts'
import { quoteIdentifier, type Resource } from './define-resource.ts'
import type { Filter } from './parse-filter.ts'
import type { ReadQuery } from './parse-query.ts'

export type Statement = { text: string; values: unknown[] }

/**
 * Builds one statement that returns the rows as a JSON array, their count, the total count if requested, and the state of
 * the session. PostgreSQL serializes the JSON, so both drivers return the same bytes. Filters can only narrow the owner's
 * rows; values are parameters and names come from the declaration.
 */
export function compileRead(
  resource: Resource,
  { userId, sessionId }: Bearer,
  query: ReadQuery,
  withTotal: boolean,
  session: SessionCheck['column'],
): Statement {
  const values: unknown[] = [userId, sessionId]
  const bind = (value: unknown) => `$${values.push(value)}`

  const conditions = [
    `${quoteIdentifier(resource.owner)} = $1::uuid`,
    ...query.filters.map((filter) => condition(resource, filter, bind)),
  ]
  const matching = `from ${resource.source} where ${conditions.join(' and ')}`
  const order = query.order.map(
    ({ column, descending, nullsFirst }) =>
      `${quoteIdentifier(column)} ${descending ? 'desc' : 'asc'} nulls ${nullsFirst ? 'first' : 'last'}`,
  )
  const rows = [
    `select ${query.columns.map(quoteIdentifier).join(', ')} ${matching}`,
    ...(order.length > 0 ? [`order by ${order.join(', ')}`] : []),
    `limit ${query.limit}`,
    ...(query.offset > 0 ? [`offset ${query.offset}`] : []),
  ].join(' ')
  const total = withTotal ? `(select count(*)::int ${matching})` : 'null::int'
  return {
    text: `select coalesce(json_agg(r), '[]')::text as body, count(*)::int as rows, ${total} as total,
      ${session} as session from (${rows}) r`,
    values,
  }
}

/** Values are sent as text and cast to the column's type, so a malformed one fails with 22P02. */
function condition(resource: Resource, filter: Filter, bind: (value: unknown) => string): string {
  const column = quoteIdentifier(filter.column)
  const type = resource.columns.get(filter.column) ?? 'text'
  const cast = (value: string) => (type === 'text' ? `${bind(value)}::text` : `cast(${bind(value)}::text as ${type})`)
  if (filter.kind === 'is') return `${column} is ${filter.sql}`
  if (filter.kind === 'compare') return `${column} ${filter.sql} ${cast(filter.value)}`
  return filter.values.length > 0 ? `${column} in (${filter.values.map(cast).join(', ')})` : 'false'
}
