import { z } from 'zod'
import { defineAdminCall, defineCall } from '#shared/contracts/define-call.ts'
import { itemRefSchema } from '#shared/contracts/library/content-items.ts'
import { changedAt } from '#shared/contracts/reader/saved.ts'

/** Files are uploaded in pieces of this size, so that a slow line needs no long request. The last one is smaller. */
export const recordingPieceBytes = 1024 * 1024

const issueId = itemRefSchema.shape.id
const seconds = z.number().int().min(0).max(86_400)
/** The second at which a section begins, by the section's id. */
const starts = z.record(issueId, seconds)
const digits = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)

const recordingSchema = z.object({
  originalName: z.string(),
  format: z.enum(['mp3', 'm4a', 'wav']),
  bytes: z.number().int(),
  seconds,
  starts,
})
export type Recording = z.infer<typeof recordingSchema>

/** The recording of a drop, published or not. `downloads` counts each person once a day. */
export const adminRecordingCall = defineAdminCall({
  name: 'admin-recording',
  roles: ['owner', 'editor'],
  input: z.object({ issueId }),
  output: z.object({
    recording: recordingSchema.nullable(),
    downloads: z.number().int(),
    limits: z.object({ bytes: z.number(), seconds: z.number() }),
  }),
})

/** The body is a piece, and `id` names the upload. The last piece has the file checked and shown in place of an earlier one. */
export const adminUploadRecordingCall = defineAdminCall({
  name: 'admin-upload-recording',
  roles: ['owner', 'editor'],
  file: { maxBytes: recordingPieceBytes },
  input: z.object({ id: z.uuid(), issueId, name: z.string().max(300), bytes: digits, piece: digits }),
  output: z.object({ recording: recordingSchema.nullable() }),
})

/** Replaces the starts of all sections; null deletes the recording. */
export const adminChangeRecordingCall = defineAdminCall({
  name: 'admin-change-recording',
  roles: ['owner', 'editor'],
  invalidates: ['admin-recording', 'issues'],
  input: z.object({ issueId, starts: starts.nullable() }),
  output: z.object({}),
})

/** What a player needs. `url` is the member's own and works while they have access. */
export const recordingCall = defineCall({
  name: 'recording',
  audience: 'subscriber',
  input: z.object({ issueId }),
  output: z.object({
    url: z.url(),
    seconds,
    chapters: z.array(z.object({ title: z.string(), start: seconds })),
    /** Where the reader stopped, on any device; 0 if they didn't begin. */
    position: seconds,
  }),
})

/** The position that was listened to last counts, whatever the order of arrival. */
export const saveListeningCall = defineCall({
  name: 'save-listening',
  audience: 'subscriber',
  input: z.object({ issueId, seconds, at: changedAt }),
  output: z.object({}),
})

/** The member's own podcast, with the token of their other feeds; null while no drop has a recording. `qr` is a picture. */
export const podcastCall = defineCall({
  name: 'podcast',
  audience: 'subscriber',
  input: z.object({}),
  output: z.object({ url: z.url().nullable(), qr: z.string() }),
})
