//! Permissions for prices, price lists and price adjustments.

values::permissions! {
    LIST_PRICES ListPrices "listing.list"
    VIEW_PRICE ViewPrice "listing.view"
    CREATE_PRICE CreatePrice "listing.create"
    UPDATE_PRICE UpdatePrice "listing.update"
    DELETE_PRICE DeletePrice "listing.delete"

    LIST_PRICE_LISTS ListPriceLists "price_list.list"
    VIEW_PRICE_LIST ViewPriceList "price_list.view"
    CREATE_PRICE_LIST CreatePriceList "price_list.create"
    UPDATE_PRICE_LIST UpdatePriceList "price_list.update"
    DELETE_PRICE_LIST DeletePriceList "price_list.delete"

    LIST_PRICE_ADJUSTMENTS ListPriceAdjustments "price_adjustment.list"
    VIEW_PRICE_ADJUSTMENT ViewPriceAdjustment "price_adjustment.view"
    CREATE_PRICE_ADJUSTMENT CreatePriceAdjustment "price_adjustment.create"
    UPDATE_PRICE_ADJUSTMENT UpdatePriceAdjustment "price_adjustment.update"
    DELETE_PRICE_ADJUSTMENT DeletePriceAdjustment "price_adjustment.delete"
}
