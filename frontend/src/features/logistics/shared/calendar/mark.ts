/** Mark of a day off in a calendar. */
export interface Mark {
  /** Cause: the working week, a public holiday, or a closure. */
  tone: 'rest' | 'holiday' | 'closed'
  /** Reason in words. */
  text: string
}
