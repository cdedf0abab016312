/**
 * Baseline for authenticated reads: a bare route that caches verified signatures and reads one row by primary key,
 * without session check, headers, logging or CORS.
 */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const keys = createRemoteJWKSet(new URL(process.env.JWKS_URL ?? ''))
const verified = new Map<string, { sub: string; exp: number }>()

async function subjectOf(token: string): Promise<string> {
  const known = verified.get(token)
  if (known && known.exp * 1000 > Date.now()) return known.sub
  const { payload } = await jwtVerify(token, keys, { algorithms: ['ES256'] })
  const fresh = { sub: payload.sub ?? '', exp: payload.exp ?? 0 }
  verified.set(token, fresh)
  return fresh.sub
}

const app = new Hono()
  .get('/healthz', (c) => c.json({ status: 'ok' }))
  .post('/baseline', async (c) => {
    const sub = await subjectOf((c.req.header('authorization') ?? '').slice(7))
    const { rows } = await pool.query({
      name: 'baseline',
      text: 'select user_id, status, product_id, current_period_end from subscription_state where user_id = $1',
      values: [sub],
    })
    return c.json({ row: rows[0] ?? null })
  })

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
