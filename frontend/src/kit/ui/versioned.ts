/** What each version of a picture shows never changes. */
export const VERSIONED = { staleTime: Number.POSITIVE_INFINITY, meta: { fixed: true } } as const
