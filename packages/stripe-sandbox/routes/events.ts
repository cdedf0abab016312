import { invalid, missing } from '../http/errors.ts'
import { list, type PageParams } from '../http/lists.ts'
import { route } from '../http/route.ts'
import { knownEventTypes } from '../schema/read-params.ts'
import type { Tx } from '../tx.ts'
import type { JsonObject } from '../types.ts'

/** An event with its number of pending deliveries. */
function presentEvent(tx: Tx, event: JsonObject): JsonObject {
  const row = tx.store.row(
    `select count(*) as open from deliveries where event = ? and state = 'pending'`,
    String(event.id),
  )
  return { ...event, pending_webhooks: Number(row?.open ?? 0) }
}

type EventParams = PageParams & { type?: string; types?: string[]; delivery_success?: boolean }

function typesOf(params: EventParams): string[] {
  if (params.type !== undefined && params.types)
    throw invalid('You may only specify one of these parameters: type, types.', 'types')
  if (params.types && params.types.length > 20) throw invalid('You may pass at most 20 types.', 'types')
  return params.types ?? (params.type === undefined ? [] : [params.type])
}

function typeConditions(types: string[]): { where: string[]; values: string[] } {
  if (types.length === 0) return { where: [], values: [] }
  const unknown = types.find((type) => !type.endsWith('*') && !knownEventTypes.has(type))
  if (unknown !== undefined) throw invalid(`Invalid event type: ${unknown.slice(0, 80)}`, 'type')
  const conditions = types.map((type) => (type.endsWith('*') ? 'type glob ?' : 'type = ?'))
  return { where: [`(${conditions.join(' or ')})`], values: types }
}

export const eventRoutes = [
  route('GET', '/v1/events/:id', 'retrieve', '', ({ tx, id }) => {
    const row = tx.store.row('select json from events where id = ?', id)
    if (!row) throw missing('event', id)
    return presentEvent(tx, JSON.parse(String(row.json)) as JsonObject)
  }),
  route<EventParams>('GET', '/v1/events', 'get_events', 'type types created delivery_success', ({ tx, params }) => {
    const { where, values } = typeConditions(typesOf(params))
    if (params.delivery_success !== undefined) {
      const open = `exists (select 1 from deliveries where event = events.id and state <> 'delivered')`
      where.push(params.delivery_success ? `not ${open}` : open)
    }
    return list(tx, {
      params,
      present: (json) => presentEvent(tx, json),
      type: 'event',
      url: '/v1/events',
      values,
      where,
    })
  }),
]
