import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/** `periodDays` as SQL. */
export const periodDaysSql = ({ interval, intervalCount }: { interval: AnyColumn; intervalCount: AnyColumn }): SQL =>
  sql`(${intervalCount} * case ${interval} when 'day' then 1 when 'week' then 7 when 'year' then 365 else 30 end)`
