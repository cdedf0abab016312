/**
 * `node tests/support/conformance-servers.ts [port]`: two servers for the protocol's public conformance suite, which sends no
 * token. On `port` (default 4620) the library, read by a connected member; on the next one the suite's own tools, prompts and
 * resources behind the same route and transport. docs/conformance.md has the commands and the outcome.
 */
import { serve } from '@hono/node-server'
import { completable, fromJsonSchema, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import { z } from 'zod'
import { openPglite } from '#server/db/open-pglite.ts'
import { mcpRoutes } from '#server/features/operations/assistants/mcp.routes.ts'
import { createAnswerMcp } from '#server/features/operations/assistants/mcp-server.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { rightNames } from '#shared/domain/connection-rights.ts'
import { buildConnection } from './build-connection.ts'
import { buildUser } from './build-user.ts'
import { createTestApp } from './create-test-app.ts'
import type { TestDatabase } from './open-test-database.ts'
import { seedFirstDrops } from './seed-first-drops.ts'

const port = Number(process.argv[2] ?? 4620)
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const text = (value: string) => ({ type: 'text' as const, text: value })
const image = { type: 'image' as const, data: png, mimeType: 'image/png' }
const resource = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
})

const manyKeywords = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

/** What the suite expects to find, by its own descriptions. */
function createFixture(): McpServer {
  const server = new McpServer(
    { name: 'conformance-fixture', version: '1' },
    { capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} } },
  )
  const tool = (name: string, content: Parameters<typeof answer>[0]) =>
    server.registerTool(name, { description: name }, () => answer(content))
  const answer = (
    content: (ReturnType<typeof text> | typeof image | ReturnType<typeof resource> | typeof audio)[],
  ) => ({
    content,
  })
  const audio = { type: 'audio' as const, data: wav, mimeType: 'audio/wav' }
  tool('test_simple_text', [text('This is a simple text response for testing.')])
  tool('test_image_content', [image])
  tool('test_audio_content', [audio])
  tool('test_embedded_resource', [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ])
  tool('test_multiple_content_types', [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ])
  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  server.registerTool('test_tool_with_logging', { description: 'Logs' }, async (ctx) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
      await ctx.mcpReq.log('info', data)
    return answer([text('Logged')])
  })
  server.registerTool('test_tool_with_progress', { description: 'Reports progress' }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken
    for (const progress of progressToken === undefined ? [] : [0, 50, 100])
      await ctx.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: progressToken as string, progress, total: 100 },
      })
    return answer([text('Done')])
  })
  server.registerTool(
    'test_custom_header',
    {
      description: 'Has an argument that is a header, too',
      inputSchema: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
    },
    ({ region }) => answer([text(region)]),
  )
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a schema of many keywords', inputSchema: fromJsonSchema(manyKeywords) },
    () => answer([text('Accepted')]),
  )
  const prompt = (name: string, content: (ReturnType<typeof text> | typeof image)[]) =>
    server.registerPrompt(name, { description: name }, () => ({
      messages: content.map((one) => ({ role: 'user' as const, content: one })),
    }))
  prompt('test_simple_prompt', [text('This is a simple prompt for testing.')])
  prompt('test_prompt_with_image', [image, text('Please analyze the image above.')])
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Takes two',
      argsSchema: z.object({ arg1: completable(z.string(), () => ['paris', 'park']), arg2: z.string() }),
    },
    ({ arg1, arg2 }) => ({
      messages: [{ role: 'user', content: text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`) }],
    }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embeds one', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        { role: 'user', content: resource(resourceUri, 'text/plain', 'Embedded resource content for testing.') },
        { role: 'user', content: text('Please process the embedded resource above.') },
      ],
    }),
  )
  server.registerResource('static-text', 'test://static-text', { description: 'Text', mimeType: 'text/plain' }, () => ({
    contents: [
      {
        uri: 'test://static-text',
        mimeType: 'text/plain',
        text: 'This is the content of the static text resource.',
      },
    ],
  }))
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'An image', mimeType: 'image/png' },
    () => ({ contents: [{ uri: 'test://static-binary', mimeType: 'image/png', blob: png }] }),
  )
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data by id', mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  )
  return server
}

const app = await createTestApp({
  env: { PUBLIC_URL: `http://localhost:${port}` },
  database: (await openPglite(undefined)) as TestDatabase,
})
await seedFirstDrops(app.deps)
const member = await buildUser(app, { subscription: 'active', email: 'member@example.test' })
const { token } = await buildConnection(app, { userId: member.id, rights: rightNames })
const fixture = new Hono<AppEnv>()
  .use(async (c, next) => {
    c.set('clientAddress', '127.0.0.1')
    c.set('requestId', crypto.randomUUID())
    c.set('logger', app.deps.logger)
    await next()
  })
  .route(
    '/',
    mcpRoutes({ ...app.deps, allCalls: () => new Map() } as never, async () =>
      createAnswerMcp(app.deps as never, createFixture),
    ),
  )

/** With the member's token, and the present time, so that limits end. */
const connected = (fetch: (request: Request) => Response | Promise<Response>) => (request: Request) => {
  app.clock.now = new Date()
  if (!new URL(request.url).pathname.startsWith('/mcp') || request.headers.has('authorization')) return fetch(request)
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${token}`)
  return fetch(new Request(request, { headers }))
}
serve({ fetch: connected((request) => app.app.fetch(request)), port, hostname: '127.0.0.1' })
serve({ fetch: connected((request) => fixture.fetch(request)), port: port + 1, hostname: '127.0.0.1' })
process.stdout.write(`http://localhost:${port}/mcp http://localhost:${port + 1}/mcp\n${token}\n${member.token}\n`)
