export type Lang = 'de' | 'en'
