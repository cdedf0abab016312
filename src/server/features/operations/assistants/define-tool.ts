import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Right } from '#shared/domain/connection-rights.ts'
import type { Assistant } from './assistant.ts'

type ToolOf<Input extends z.ZodObject, Output extends z.ZodObject> = {
  name: string
  title: string
  /** For the assistant: what it does, and when to use it. */
  description: string
  right: Right
  /** `adds`: nothing is lost. `replaces`: an earlier answer or state is. Default: it only reads. */
  changes?: 'adds' | 'replaces'
  input: Input
  output: Output
  run(input: z.output<Input>, assistant: Assistant): Promise<z.input<Output>>
}
export type Tool = ToolOf<z.ZodObject, z.ZodObject>

export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>(tool: ToolOf<Input, Output>): Tool =>
  tool as unknown as Tool

const schemaOf = (schema: z.ZodObject, io: 'input' | 'output') => {
  const { $schema: _, ...found } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return { ...found, type: 'object' } as ListedTool['inputSchema']
}

/** The tool as the protocol lists it. */
export const describeTool = ({ name, title, description, changes, input, output }: Tool): ListedTool => ({
  name,
  title,
  description,
  inputSchema: schemaOf(input, 'input'),
  outputSchema: schemaOf(output, 'output'),
  annotations: {
    title,
    readOnlyHint: changes === undefined,
    destructiveHint: changes === 'replaces',
    // Repeating a change makes no difference; another draft or answer does.
    idempotentHint: changes !== 'adds',
    // It never reaches beyond this publication.
    openWorldHint: false,
  },
})
