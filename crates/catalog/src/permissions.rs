//! Permissions for the catalog.

values::permissions! {
    LIST_ATTRIBUTES ListAttributes "attribute.list"
    VIEW_ATTRIBUTE ViewAttribute "attribute.view"
    CREATE_ATTRIBUTE CreateAttribute "attribute.create"
    UPDATE_ATTRIBUTE UpdateAttribute "attribute.update"
    DELETE_ATTRIBUTE DeleteAttribute "attribute.delete"

    LIST_MATERIALS ListMaterials "material.list"
    VIEW_MATERIAL ViewMaterial "material.view"
    CREATE_MATERIAL CreateMaterial "material.create"
    UPDATE_MATERIAL UpdateMaterial "material.update"
    DELETE_MATERIAL DeleteMaterial "material.delete"

    LIST_TRADE_DIMENSIONS ListTradeDimensions "trade_dimension.list"
    VIEW_TRADE_DIMENSION ViewTradeDimension "trade_dimension.view"
    CREATE_TRADE_DIMENSION CreateTradeDimension "trade_dimension.create"
    UPDATE_TRADE_DIMENSION UpdateTradeDimension "trade_dimension.update"
    DELETE_TRADE_DIMENSION DeleteTradeDimension "trade_dimension.delete"

    LIST_ARTICLE_TYPES ListArticleTypes "article_type.list"
    VIEW_ARTICLE_TYPE ViewArticleType "article_type.view"
    CREATE_ARTICLE_TYPE CreateArticleType "article_type.create"
    UPDATE_ARTICLE_TYPE UpdateArticleType "article_type.update"
    DELETE_ARTICLE_TYPE DeleteArticleType "article_type.delete"

    LIST_ARTICLE_TYPE_GROUPS ListArticleTypeGroups "article-type-group.list"
    VIEW_ARTICLE_TYPE_GROUP ViewArticleTypeGroup "article-type-group.view"
    CREATE_ARTICLE_TYPE_GROUP CreateArticleTypeGroup "article-type-group.create"
    UPDATE_ARTICLE_TYPE_GROUP UpdateArticleTypeGroup "article-type-group.update"
    DELETE_ARTICLE_TYPE_GROUP DeleteArticleTypeGroup "article-type-group.delete"

    LIST_ARTICLES ListArticles "article.list"
    VIEW_ARTICLE ViewArticle "article.view"
    CREATE_ARTICLE CreateArticle "article.create"
    UPDATE_ARTICLE UpdateArticle "article.update"
    DELETE_ARTICLE DeleteArticle "article.delete"

    LIST_PROCESSINGS ListProcessings "processing.list"
    VIEW_PROCESSING ViewProcessing "processing.view"
    CREATE_PROCESSING CreateProcessing "processing.create"
    UPDATE_PROCESSING UpdateProcessing "processing.update"
    DELETE_PROCESSING DeleteProcessing "processing.delete"

    LIST_CATEGORIES ListCategories "category.list"
    VIEW_CATEGORY ViewCategory "category.view"
    CREATE_CATEGORY CreateCategory "category.create"
    UPDATE_CATEGORY UpdateCategory "category.update"
    DELETE_CATEGORY DeleteCategory "category.delete"
}
