import { z } from 'zod'
import { adminCheckMailingCall, adminPreviewMailingCall, adminTestMailingCall } from './admin-newsletter.ts'
import { defineCall } from './define-call.ts'

/*
 * The email that a drop will become, before anybody publishes it: made of the saved draft, with its title as the subject.
 */

const dropId = z.object({ id: z.string().regex(/^[a-z0-9-]{1,80}$/) })

export const adminPreviewDropEmailCall = defineCall({
  name: 'admin-preview-drop-email',
  audience: 'admin',
  input: dropId.extend({ as: adminPreviewMailingCall.input.shape.as }),
  output: adminPreviewMailingCall.output,
})

export const adminTestDropEmailCall = defineCall({
  name: 'admin-test-drop-email',
  audience: 'admin',
  input: dropId.extend({ to: adminTestMailingCall.input.shape.to, as: adminTestMailingCall.input.shape.as }),
  output: adminTestMailingCall.output,
})

export const adminCheckDropEmailCall = defineCall({
  name: 'admin-check-drop-email',
  audience: 'admin',
  input: dropId,
  output: adminCheckMailingCall.output,
})
