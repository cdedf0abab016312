import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { pushKinds } from '#shared/domain/push.ts'

const choices = { kinds: z.array(z.enum(pushKinds)), quiet: z.boolean() }

/**
 * The kinds of messages that a device of the reader gets; null while it isn't subscribed. With `save`, subscribes the device of
 * this session or changes its kinds; without kinds, its subscription ends.
 */
export const pushDeviceCall = defineCall({
  name: 'push-device',
  audience: 'subscriber',
  invalidates: ['push-device'],
  input: z.object({
    /** Its secret address at the browser’s push service; null before it has one. */
    endpoint: z
      .url({ protocol: /^https?$/ })
      .max(1_000)
      .nullable(),
    save: z
      .object({
        /** Keys that only the device can decrypt with, in base64url. */
        p256dh: z.string().regex(/^[\w-]{87}=?$/),
        auth: z.string().regex(/^[\w-]{22}={0,2}$/),
        ...choices,
      })
      .optional(),
  }),
  output: z.object({
    /** With which a device subscribes; null if the server sends no push messages. */
    publicKey: z.string().nullable(),
    device: z.object(choices).nullable(),
  }),
})
export type PushDevice = z.infer<typeof pushDeviceCall.output>
