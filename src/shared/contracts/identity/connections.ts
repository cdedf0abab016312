import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { rightNames } from '#shared/domain/connection-rights.ts'

const instant = z.iso.datetime()
const right = z.enum(rightNames)
const authorizationId = z.string().max(100)

/** A request for a connection that waits for the person's decision. */
export const connectionRequestCall = defineCall({
  name: 'connection-request',
  audience: 'user',
  input: z.object({ authorizationId }),
  output: z.object({
    /** The assistant's own name for itself; empty without one. */
    name: z.string(),
    /** The website that publishes the name, which is proven; null for a registration, whose name can be anything. */
    publishedBy: z.string().nullable(),
    /** Whom the answer goes to. */
    target: z.object({ kind: z.enum(['website', 'this-device', 'app']), name: z.string() }),
    /** What the assistant asked for and this person can give. */
    rights: z.array(right),
    /** True if this person connected it before; the new choice replaces the earlier one. */
    isConnected: z.boolean(),
  }),
})
export type ConnectionRequest = z.output<typeof connectionRequestCall.output>

/** Allows or declines a request. Returns where the browser goes with the answer. */
export const answerConnectionRequestCall = defineCall({
  name: 'answer-connection-request',
  audience: 'user',
  invalidates: ['connections'],
  input: z.object({
    authorizationId,
    /** Null declines. */
    rights: z.array(right).max(rightNames.length).nullable(),
  }),
  output: z.object({ redirectUrl: z.string() }),
})

/** The person's connected assistants, newest first. */
export const listConnectionsCall = defineCall({
  name: 'list-connections',
  audience: 'user',
  input: z.object({}).nullish(),
  output: z.object({
    connections: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        /** The website that publishes the name; null for a registration. */
        publishedBy: z.string().nullable(),
        /** Those that it has now, which depend on the person's role. */
        rights: z.array(right),
        connectedAt: instant,
        lastUsedAt: instant.nullable(),
      }),
    ),
  }),
})
export type ListedConnection = z.output<typeof listConnectionsCall.output>['connections'][number]

/** Ends a connection at once. Unknown ids and other people's ids are ignored. */
export const endConnectionCall = defineCall({
  name: 'end-connection',
  audience: 'user',
  invalidates: ['connections'],
  input: z.object({ id: z.uuid() }),
  output: z.object({ ended: z.boolean() }),
})
