/** Ref of something that a tap opens: scrolls it above the bars at the lower edge, unless it is on screen already. */
export const showOnScreen = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })
