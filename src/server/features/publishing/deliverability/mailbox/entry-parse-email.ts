import { parentPort } from 'node:worker_threads'
import PostalMime from 'postal-mime'
import type { ParseAnswer, ParseRequest } from './parse-email.ts'
import { unwrapFlowed } from './unwrap-flowed.ts'

// Runs in a thread of its own; see parse-email.ts.

// The library's method joins a quoted line with the unquoted one below it, and no option turns that off.
const { root } = new PostalMime() as unknown as { root: object }
Object.assign(Object.getPrototypeOf(root), { decodeFlowedText: unwrapFlowed })

const parse = ({ id, raw, options }: ParseRequest): Promise<ParseAnswer> =>
  PostalMime.parse(raw, options).then(
    (email) => ({ id, email }),
    (error: unknown) => ({ id, failure: error instanceof Error ? error.message : String(error) }),
  )

parentPort?.on('message', async (request: ParseRequest) => parentPort?.postMessage(await parse(request)))
