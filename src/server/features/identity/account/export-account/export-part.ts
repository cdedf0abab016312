import type { Tx } from '#server/db/database.ts'

/** One key of the export, with the tables it covers. */
export type ExportPart = { tables: readonly string[]; read: (tx: Tx, userId: string) => Promise<unknown> }
export type ExportParts = Record<string, ExportPart>

export const firstOrNull = async <Row>(rows: PromiseLike<Row[]>): Promise<Row | null> => (await rows)[0] ?? null
