import { parentPort } from 'node:worker_threads'
import PostalMime from 'postal-mime'
import type { ParseAnswer, ParseRequest } from './parse-email.ts'

// Runs in a thread of its own; see parse-email.ts.
const parse = ({ id, raw, options }: ParseRequest): Promise<ParseAnswer> =>
  PostalMime.parse(raw, options).then(
    (email) => ({ id, email }),
    (error: unknown) => ({ id, failure: error instanceof Error ? error.message : String(error) }),
  )

parentPort?.on('message', async (request: ParseRequest) => parentPort?.postMessage(await parse(request)))
