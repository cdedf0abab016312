/** The row of a query that finds one at most, such as by a user's id. */
export const one = async <Row>(rows: PromiseLike<Row[]>): Promise<Row | null> => (await rows)[0] ?? null
