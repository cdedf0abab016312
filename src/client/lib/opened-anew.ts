const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]

/** True if the document was opened by a link or an address; not by a reload or Back, which restore its position. */
export const isOpenedAnew = load?.type === 'navigate'
