import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { TestApp } from './create-test-app.ts'

/** The unmodified official client, connected to the app without a socket. With a token, it acts as that user. */
export function clientFor(server: Pick<TestApp, 'app'>, token?: string): SupabaseClient {
  return createClient('http://localhost:3000', 'sb_publishable_front_counter', {
    global: {
      fetch: async (input, init) => server.app.fetch(new Request(input, init)),
      ...(token && { headers: { Authorization: `Bearer ${token}` } }),
    },
    auth: { persistSession: false, autoRefreshToken: false },
  })
}

/** Sends `POST /functions/v1/<name>` as the browser does. */
export async function call(server: Pick<TestApp, 'app'>, name: string, body?: unknown, token?: string) {
  const answer = await server.app.request(`/functions/v1/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown>, headers: answer.headers }
}
