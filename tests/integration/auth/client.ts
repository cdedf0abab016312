import { createClient } from '@supabase/supabase-js'
import type { TestApp } from '#tests/support/create-test-app.ts'

/** The unmodified official client, calling the app without a socket. Auto refresh is off. */
export function officialClient(server: TestApp, options: { flowType?: 'implicit' | 'pkce'; key?: string } = {}) {
  const { key = 'sb_publishable_test', ...auth } = options
  return createClient(server.deps.config.publicUrl, key, {
    auth: {
      autoRefreshToken: false,
      persistSession: options.flowType === 'pkce',
      storage: memoryStorage(),
      ...auth,
    },
    global: { fetch: async (url, init) => server.request(String(url), init as RequestInit) },
  })
}

function memoryStorage() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

export type OfficialClient = ReturnType<typeof officialClient>

/** A plain JSON request in the protocol's current version. */
export function call(
  server: TestApp,
  path: string,
  options: { method?: string; body?: unknown; token?: string; headers?: Record<string, string> } = {},
) {
  const { body, token } = options
  return server.request(`/auth/v1${path}`, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      'Content-Type': 'application/json;charset=UTF-8',
      'X-Supabase-Api-Version': '2024-01-01',
      ...(token && { Authorization: `Bearer ${token}` }),
      ...options.headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

export const codeOf = async (answer: Response) => ((await answer.json()) as { code: unknown }).code
