import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client'
import { type Right, rightNames } from '#shared/domain/connection-rights.ts'
import { buildConnection } from '#tests/support/build-connection.ts'
import type { TestApp } from '#tests/support/create-test-app.ts'

type Server = Pick<TestApp, 'app' | 'deps'>

/** The newest protocol; `legacy` is 2025-11-25. */
export async function clientFor(server: Server, token: string, mode: VersionNegotiationMode = 'auto'): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost:3000/mcp'), {
    fetch: async (input, init) => server.app.fetch(new Request(input, init)),
    authProvider: { token: async () => token },
  })
  await client.connect(transport)
  return client
}

/** The official client as an assistant of this user. */
export async function connect(
  server: Server,
  { id }: { id: string },
  { rights = rightNames, mode = 'auto' }: { rights?: readonly Right[]; mode?: VersionNegotiationMode } = {},
) {
  const connection = await buildConnection(server, { userId: id, rights })
  return { ...connection, client: await clientFor(server, connection.token, mode) }
}

export type Answer = Record<string, unknown> & { error?: string }

/** What a tool answers: its structured content, or the text of its error. */
export async function callTool(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Answer> {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: input })
  const [first] = content
  const text = first?.type === 'text' ? first.text : ''
  return isError ? { error: text } : (structuredContent as Answer)
}

/** A message as a program would post it. */
export const post = (server: Server, message: unknown, headers: Record<string, string>) =>
  server.app.request('http://localhost:3000/mcp', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-11-25',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
