/** Tabs that are the same for all records. */
export const usageTab = () => import('./usage-tab')
export const historyTab = () => import('./history-tab')
