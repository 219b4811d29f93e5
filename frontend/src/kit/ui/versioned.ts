/** Query options for a version of an image, which never changes. */
export const VERSIONED = { staleTime: Number.POSITIVE_INFINITY, meta: { fixed: true } } as const
