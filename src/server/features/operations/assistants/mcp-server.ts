import {
  type CallToolResult,
  createMcpHandler,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerCapabilities,
} from '@modelcontextprotocol/server'
import { outageCode } from '#server/http/product-calls.ts'
import { parseInput } from '#server/http/read-json.ts'
import type { Right } from '#shared/domain/connection-rights.ts'
import { AppError } from '#shared/errors.ts'
import { type Assistant, describeTool, invalid, type Tool } from './assistant.ts'
import { instructionsFor } from './instructions.ts'
import { completePrompt, getPrompt, listPrompts } from './prompts.ts'
import { howToGet } from './read-item.ts'
import { completeResource, listResources, listTemplates, readResource } from './resources.ts'
import { activityTools } from './tools/activity-tools.ts'
import { draftTools } from './tools/draft-tools.ts'
import { libraryTools } from './tools/library-tools.ts'
import { publicationTools } from './tools/publication-tools.ts'

const tools: readonly Tool[] = [...libraryTools, ...activityTools, ...publicationTools, ...draftTools]
const described = new Map(tools.map((tool) => [tool.name, describeTool(tool)]))
const byName = new Map(tools.map((tool) => [tool.name, tool]))

const capabilities: ServerCapabilities = { tools: {}, prompts: {}, resources: {}, completions: {} }

/** Lists and texts belong to one person. They change with what is published. */
const cacheHint = { ttlMs: 60_000, cacheScope: 'private' } as const

/** Nothing is elicited from clients, so nothing has to be validated: the default would compile a validator per request. */
const noValidator = {
  getValidator: () => () => {
    throw new Error('There is no elicitation')
  },
}

export type AnswerMcp = (assistant: Assistant, request: Request, body: unknown) => Promise<Response>

/** Answers requests of connected assistants. Nothing of one is left afterwards, so that any node can answer the next. */
export function createAnswerMcp(
  { logger }: Assistant['deps'],
  createServer: (assistant: Assistant) => McpServer | Server = serverFor,
): AnswerMcp {
  const handler = createMcpHandler(({ authInfo }) => createServer(authInfo?.extra?.assistant as Assistant), {
    // Nothing is published on them: lists say how long they hold.
    maxSubscriptions: 64,
    onerror: (error) => logger.debug({ err: error }, 'a request to /mcp was refused'),
  })
  return (assistant, request, parsedBody) =>
    handler.fetch(request, {
      authInfo: { token: '', clientId: assistant.connectionId, scopes: [], extra: { assistant } },
      parsedBody,
    })
}

function serverFor(assistant: Assistant): Server {
  const { publication } = assistant.deps.config.settings
  const server = new Server(
    { name: 'front-counter', title: publication.name, version: '1.0.0', websiteUrl: assistant.link('/') },
    {
      capabilities,
      instructions: instructionsFor(assistant),
      jsonSchemaValidator: noValidator as never,
      cacheHints: { 'tools/list': cacheHint, 'prompts/list': cacheHint, 'resources/list': cacheHint },
    },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: tools.filter((tool) => isAllowed(assistant, tool.right)).flatMap(({ name }) => described.get(name) ?? []),
  }))
  server.setRequestHandler('tools/call', ({ params }) => callTool(assistant, params.name, params.arguments ?? {}))
  server.setRequestHandler('prompts/list', ({ params }) =>
    inLibrary(assistant, () => listPrompts(assistant, params?.cursor), { prompts: [] }),
  )
  server.setRequestHandler('prompts/get', ({ params }) =>
    inLibrary(assistant, () => getPrompt(assistant, params.name, params.arguments ?? {})),
  )
  server.setRequestHandler('resources/list', ({ params }) =>
    inLibrary(assistant, () => listResources(assistant, params?.cursor), { resources: [] }),
  )
  server.setRequestHandler('resources/templates/list', () => listTemplates())
  server.setRequestHandler('resources/read', ({ params }) =>
    inLibrary(assistant, () => readResource(assistant, params.uri)),
  )
  server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }) =>
    inLibrary(assistant, () =>
      ref.type === 'ref/prompt'
        ? completePrompt(assistant, ref.name, argument, context?.arguments ?? {})
        : completeResource(assistant, ref.uri, argument.value),
    ),
  )
  return server
}

/** Prompts and resources are the library. Without the right to it, lists are empty. */
async function inLibrary<T>(assistant: Assistant, run: () => Promise<T>, otherwise?: T): Promise<T> {
  if (!isAllowed(assistant, 'library:read')) {
    if (otherwise) return otherwise
    throw invalid(new AppError('connection_right_missing').message)
  }
  try {
    return await run()
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    if (error instanceof AppError) throw invalid(explain(assistant, error))
    throw new ProtocolError(ProtocolErrorCode.InternalError, explain(assistant, error))
  }
}

const isAllowed = ({ rights }: Assistant, right: Right) => rights.has(right)

async function callTool(assistant: Assistant, name: string, input: unknown): Promise<CallToolResult> {
  const tool = byName.get(name)
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name.slice(0, 100)}`)
  try {
    if (!isAllowed(assistant, tool.right))
      throw new AppError('connection_right_missing', { extra: { right: tool.right } })
    const output = tool.output.parse(await tool.run(parseInput(tool.input, input), assistant))
    return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output }
  } catch (error) {
    return { content: [{ type: 'text', text: explain(assistant, error) }], isError: true }
  }
}

/** What went wrong, so that an assistant can do it right or say what the person can do. */
export function explain(assistant: Assistant, error: unknown): string {
  const outage = outageCode(error)
  if (outage) return new AppError(outage).message
  if (!(error instanceof AppError)) {
    assistant.deps.logger.error({ err: error }, 'a request of an assistant failed')
    return new AppError('unexpected_failure').message
  }
  if (error.code === 'not_subscribed') return `This isn’t open to the person. ${howToGet(assistant)}`
  if (error.code === 'step_up_required') return 'Only the person can do this, on the page.'
  return error.message
}
