import { readdir } from 'node:fs/promises'
import type { AnyCall } from '#shared/contracts/define-call.ts'

const contracts = new URL('../../src/shared/contracts/', import.meta.url)

/** All product calls that have a contract. New calls are included automatically. */
export async function allCalls(): Promise<AnyCall[]> {
  const files = (await readdir(contracts, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'define-call.ts',
  )
  const modules = await Promise.all(files.map((file) => import(new URL(file, contracts).href)))
  const isCall = (value: unknown): value is AnyCall =>
    typeof value === 'object' && value !== null && 'audience' in value
  return modules.flatMap((module) => Object.values(module as object)).filter(isCall)
}
