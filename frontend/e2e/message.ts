import type { Page } from '@playwright/test'

/** Keeps the message of a change open, as a pointer over it does; otherwise it closes after four seconds. */
export const keepMessage = (page: Page, undo = 'Rückgängig') => page.getByRole('button', { name: undo }).last().hover()
