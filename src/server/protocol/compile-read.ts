import { PgDialect } from 'drizzle-orm/pg-core'
import type { Principal } from '#server/http/principal.ts'
import { quoteIdentifier, type Resource } from './define-resource.ts'
import type { Filter } from './parse-filter.ts'
import type { ReadQuery } from './parse-query.ts'

export type Statement = { text: string; values: unknown[] }

const dialect = new PgDialect()

/**
 * One statement that answers the rows as a JSON array, their number and, when asked, the number of all that match.
 * PostgreSQL writes the JSON, so both drivers give the same bytes. Values are parameters; names come from the
 * declaration. The row rule stands first and in brackets of its own, so no filter can widen it.
 */
export function compileRead(resource: Resource, who: Principal, query: ReadQuery, withTotal: boolean): Statement {
  const rule = dialect.sqlToQuery(resource.rows(who))
  const values: unknown[] = [...rule.params]
  const bind = (value: unknown) => `$${values.push(value)}`

  const conditions = [`(${rule.sql})`, ...query.filters.map((filter) => condition(resource, filter, bind))]
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
    text: `select coalesce(json_agg(r), '[]')::text as body, count(*)::int as rows, ${total} as total from (${rows}) r`,
    values,
  }
}

/** A value travels as text and is cast to the column's type, so that a malformed one is the database's 22P02. */
function condition(resource: Resource, filter: Filter, bind: (value: unknown) => string): string {
  const column = quoteIdentifier(filter.column)
  const type = resource.columns.get(filter.column) ?? 'text'
  const cast = (value: string) => (type === 'text' ? `${bind(value)}::text` : `cast(${bind(value)}::text as ${type})`)
  if (filter.kind === 'is') return `${column} is ${filter.sql}`
  if (filter.kind === 'compare') return `${column} ${filter.sql} ${cast(filter.value)}`
  return filter.values.length > 0 ? `${column} in (${filter.values.map(cast).join(', ')})` : 'false'
}
