import { list, type PageParams, type Range, rangeOf } from '../http/lists.ts'
import type { Tx } from '../tx.ts'

export type ListParams = PageParams & {
  collection_method?: string
  current_period_end?: Range
  current_period_start?: Range
  customer?: string
  price?: string
  status?: string
  test_clock?: string
}

const statusWhere = (status: string | undefined): { where: string[]; values: string[] } => {
  if (status === 'all') return { where: [], values: [] }
  if (status === undefined) return { where: [`status <> 'canceled'`], values: [] }
  if (status === 'ended') return { where: [`status in ('canceled', 'incomplete_expired')`], values: [] }
  return { where: ['status = ?'], values: [status] }
}

export function listSubscriptions(tx: Tx, params: ListParams) {
  const { where, values } = statusWhere(params.status)
  const all: (string | number)[] = [...values]
  if (params.customer !== undefined) {
    where.push('customer = ?')
    all.push(params.customer)
  }
  if (params.test_clock !== undefined) {
    where.push('test_clock = ?')
    all.push(params.test_clock)
  }
  // Subscriptions on test clocks would distort totals, so they are listed only on request.
  if (params.customer === undefined && params.test_clock === undefined) where.push('test_clock is null')
  if (params.price !== undefined) {
    where.push(
      `exists (select 1 from json_each(objects.json, '$.items.data') where json_extract(value, '$.price.id') = ?)`,
    )
    all.push(params.price)
  }
  for (const field of ['current_period_start', 'current_period_end'] as const) {
    const range = rangeOf(`json_extract(json, '$.items.data[0].${field}')`, params[field])
    where.push(...range.where)
    all.push(...range.values)
  }
  return list(tx, { params, type: 'subscription', url: '/v1/subscriptions', values: all, where })
}
