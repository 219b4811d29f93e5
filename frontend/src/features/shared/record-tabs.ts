/** Tabs that are the same for all records. */
export const usageTab = () => import('~/kit/records/usage-tab')
export const historyTab = () => import('~/features/shared/history/history-tab')
