//! Permissions for warehouses, stocks, matchings and shipping.

values::permissions! {
    LIST_MATCHINGS ListMatchings "matching.list"
    VIEW_MATCHING ViewMatching "matching.view"
    CREATE_MATCHING CreateMatching "matching.create"
    UPDATE_MATCHING UpdateMatching "matching.update"
    DELETE_MATCHING DeleteMatching "matching.delete"

    LIST_STOCKS ListStocks "stock.list"
    VIEW_STOCK ViewStock "stock.view"
    CREATE_STOCK CreateStock "stock.create"
    UPDATE_STOCK UpdateStock "stock.update"
    DELETE_STOCK DeleteStock "stock.delete"

    LIST_WAREHOUSES ListWarehouses "warehouse.list"
    VIEW_WAREHOUSE ViewWarehouse "warehouse.view"
    CREATE_WAREHOUSE CreateWarehouse "warehouse.create"
    UPDATE_WAREHOUSE UpdateWarehouse "warehouse.update"
    DELETE_WAREHOUSE DeleteWarehouse "warehouse.delete"

    LIST_SHIPPING_NODES ListShippingNodes "shipping_node.list"
    VIEW_SHIPPING_NODE ViewShippingNode "shipping_node.view"
    CREATE_SHIPPING_NODE CreateShippingNode "shipping_node.create"
    UPDATE_SHIPPING_NODE UpdateShippingNode "shipping_node.update"
    DELETE_SHIPPING_NODE DeleteShippingNode "shipping_node.delete"
}
