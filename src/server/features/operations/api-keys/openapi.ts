import { z } from 'zod'
import type { Config } from '#server/config/config.ts'
import { type ApiEndpoint, apiEndpoints, apiScopes } from '#shared/contracts/operations/public-api.ts'

type Schema = Record<string, unknown>

const errorSchema: Schema = {
  type: 'object',
  required: ['error', 'code'],
  properties: { error: { type: 'string', description: 'For people' }, code: { type: 'string' } },
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema, ...found } = z.toJSONSchema(schema, { io, reused: 'inline', unrepresentable: 'any' }) as Schema
  return found
}

/** Parameters in braces of a path. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const failure = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

function operationOf({ method, path, operationId, summary, scope, input, output }: ApiEndpoint): Schema {
  const inPath = pathParameters(path)
  const { properties = {}, required = [] } = jsonSchema(input, 'input') as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  const others = Object.keys(properties).filter((name) => !inPath.includes(name))
  const isWrite = method !== 'get'
  const parameter = (name: string, place: 'path' | 'query') => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: properties[name],
  })
  const idempotencyKey = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 200 } }
  const body = {
    type: 'object',
    properties: Object.fromEntries(others.map((name) => [name, properties[name]])),
    required: required.filter((name) => others.includes(name)),
  }
  return {
    operationId,
    summary,
    description: `Requires the scope \`${scope}\`: ${apiScopes[scope].toLowerCase()}.`,
    security: [{ apiKey: [] }],
    parameters: [
      ...inPath.map((name) => parameter(name, 'path')),
      ...(isWrite ? [idempotencyKey] : others.map((name) => parameter(name, 'query'))),
    ],
    ...(isWrite && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      '200': { description: 'OK', content: { 'application/json': { schema: jsonSchema(output, 'output') } } },
      '400': failure('The request isn’t valid'),
      '401': failure('The key isn’t valid'),
      '403': failure('The key doesn’t have the scope'),
      ...(inPath.length > 0 && { '404': failure('Not found') }),
      ...(isWrite && {
        '409': failure('Conflicts with another request'),
        '422': failure('Exists already, or the Idempotency-Key was used for another request'),
      }),
      '429': failure('Too many requests; see Retry-After'),
    },
  }
}

/** OpenAPI 3.1 document of the public API, generated from its contracts. */
export function openApiDocument({ publicUrl, settings }: Pick<Config, 'publicUrl' | 'settings'>): Schema {
  const paths: Record<string, Schema> = {}
  for (const endpoint of Object.values(apiEndpoints) as unknown as ApiEndpoint[]) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: operationOf(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: `${settings.publication.name} API`, version: '1' },
    servers: [{ url: `${publicUrl}/api/v1` }],
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, fc_…' } },
    },
  }
}
